"""The kernels of Axis & Allies: forces, the fire of one side at the other, and one round as products of matrices."""
