# syntax=docker/dockerfile:1

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
# What exports by OTLP and Zipkin, which the image has.
COPY exporters/package.json ./exporters/
RUN npm ci
COPY tsconfig.json LICENSE ./
COPY scripts/bundle.ts scripts/console-page.ts scripts/notices.ts ./scripts/
COPY schema.graphql ./
COPY console/src ./console/src
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:26-slim
# What runs needs no package manager.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
  && install --directory --owner=node --group=node /data \
  # The folder of what is kept by default: data/kb.db, data/state.db and data/api-token.
  && mkdir /app && ln -s /data /app/data
# The commit of the sources: docker build --build-arg REVISION=$(git rev-parse HEAD) .
ARG REVISION=unknown
LABEL org.opencontainers.image.title="kb-gateway" \
  org.opencontainers.image.description="A GraphQL gateway for a knowledge-base service such as Document360: typed outcomes for every write, few upstream calls." \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/src/generated/persisted-documents.json ./console/src/generated/
# SQLite needs a place for temporary files, which a read-only root has nowhere else.
ENV NODE_ENV=production HOST=:: PORT=4000 SQLITE_TMPDIR=/data
# By number, so that an orchestrator can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself: npm passes no SIGTERM on. The bound saves memory (decision 23).
CMD ["node", "dist/main.js", "serve"]
