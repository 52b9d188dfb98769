import { defineConfig } from '@graphql-mesh/compose-cli';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';

/** The subgraph that `mesh-compose` makes of the service's OpenAPI document. */
export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadOpenAPISubgraph('service', {
        source: 'peers/hive/openapi.json',
        endpoint: '{env.UPSTREAM_URL}',
        operationHeaders: { api_token: '{context.headers.api_token}' },
      }),
    },
  ],
});
