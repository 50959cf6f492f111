"""Follow-ups: what people ask next about the battle of an answer."""
