# Sandtable as a container. Build: docker build -t sandtable .
# Run:   docker run -d --name sandtable -e SANDTABLE_TOKEN=... -v sandtable:/data --restart unless-stopped sandtable

FROM python:3.13-slim AS build
# The compiler is for the compiled kernel; the container that runs has none.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/sandtable
WORKDIR /src
# What it needs comes first and with hashes: it changes seldom, so this layer is kept.
COPY requirements.lock ./
RUN /opt/sandtable/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md ./
COPY config config
COPY solver solver
COPY bot bot
RUN /opt/sandtable/bin/pip install --no-cache-dir --no-deps .
# Nobody runs the tests of other packages in the container, or installs more: that saves 35 MB.
RUN find /opt/sandtable -type d -name tests -prune -exec rm -r {} + && /opt/sandtable/bin/pip uninstall --quiet --yes pip

FROM python:3.13-slim
RUN useradd --system --create-home sandtable && install --directory --mode 0700 --owner sandtable /data
COPY --from=build /opt/sandtable /opt/sandtable
ENV PATH=/opt/sandtable/bin:$PATH SANDTABLE_DATA=/data MPLCONFIGDIR=/home/sandtable/matplotlib PYTHONUNBUFFERED=1
USER sandtable
# One answer now, so that the first one of a new container need not look for fonts.
RUN SANDTABLE_DATA=/tmp/first sandtable "/battle 3 2" && rm -r /tmp/first
VOLUME /data
STOPSIGNAL SIGTERM
# The bot renews the file every ten seconds while Discord hears it, it takes questions and its database answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD test -n "$(find /data/alive -mmin -1)"
ENTRYPOINT ["sandtable"]
CMD ["discord"]
