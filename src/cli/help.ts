/** The output of `--help`. */
export const HELP = `kb-gateway: a GraphQL gateway for a knowledge-base service

Usage:
  kb-gateway [serve]         serve GraphQL, over the service or over the embedded store
  kb-gateway mcp             serve an AI client over stdin and stdout, as KB_API_TOKEN or KB_JWT (MCP)
  kb-gateway import FILE     load a knowledge base (.json or .json.gz) into the embedded store
  kb-gateway export FILE     write the embedded store to a new file (.json or .json.gz) that import reads
  kb-gateway backup FILE     copy the embedded store to a new file, also while it is served (SQLite)
  kb-gateway bulk-update FILE  update articles from a file, through a gateway that runs (bulk-update --help)
  kb-gateway print-schema    print the GraphQL schema; with --federation that of the subgraph of Federation 2
  kb-gateway --help
  kb-gateway --version

Options of serve:
  --port PORT, --host HOST   in place of the settings of these names
  --config-check             print the settings that would be used, without secrets, and end

Exit codes:
  0  done, or stopped by SIGTERM or SIGINT
  1  failed: a wrong setting, a port that is taken, a store that cannot be opened, a file that cannot be used
  2  misused: no such command or option

Settings come from the environment. "kb-gateway serve --config-check" prints them with their values, and the page
"settings" of the documentation explains them.
`;
