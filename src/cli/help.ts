import { MEMBERS } from '../core/articles/bulk-updates.ts';

export const HELP = `kb-gateway: a GraphQL gateway for a knowledge-base service

Usage:
  kb-gateway serve           serve GraphQL (also without a command), over the service or over the embedded store
  kb-gateway mcp             serve an AI client over stdin and stdout, as KB_API_TOKEN or KB_JWT (MCP)
  kb-gateway init --project-version NAME --languages en,fr  begin an own knowledge base in the embedded store
  kb-gateway import FILE     load a knowledge base (.json, .json.gz) into the embedded store; what is there stays
  kb-gateway export FILE     write the embedded store to a new file (.json or .json.gz) that import reads
  kb-gateway export FILE --csv  write the articles as rows that bulk-update reads (--columns, --for-spreadsheet)
  kb-gateway export FILE --from-service  write the service of UPSTREAM_URL instead (UPSTREAM_API_TOKEN, KB_API_TOKEN or --token),
                             by its lists; with --texts also each text, by a call of its own. An interrupted
                             export goes on from FILE.part; --csv works, too
  kb-gateway backup FILE     copy the embedded store to a new file, also while it is served (SQLite)
  kb-gateway plan FOLDER     show what a folder of Markdown would change, through a gateway that runs, and write nothing;
                             --out FILE keeps the plan, --json and --markdown show it otherwise, --strict fails with a file.
                             --user ID, --project-version ID, --publish, --if-published fork, --gone hide or unpublish,
                             --include and --exclude PATTERN,… (the page "own files" of the documentation)
  kb-gateway apply FILE      do what a plan says, and nothing else; run again, it goes on
  kb-gateway bulk-update FILE  update articles from a file, through a gateway that runs (bulk-update --help)
  kb-gateway check-service   find out how the service of UPSTREAM_URL behaves, in at most 15 reads (UPSTREAM_API_TOKEN or KB_API_TOKEN)
                             with --write --category ID --user ID also by a hidden draft, whose ID it prints; --report FILE
                             writes what it saw, without any values. Exit code 3: something is otherwise than expected
  kb-gateway dev-jwt --scope "read articles:write"  print a JWT for trying, and the settings that accept it
  kb-gateway print-schema    print the GraphQL schema; with --federation that of the subgraph of Federation 2
  kb-gateway --help
  kb-gateway --version

Options of serve:
  --port PORT, --host HOST   in place of the settings of these names
  --config-check             print the settings that were set and the defaults, without secrets, and end; with
                             --strict, a warning is a failure

Exit codes:
  0  done, or stopped by SIGTERM or SIGINT
  1  failed: a wrong setting, a port that is taken, a store that cannot be opened, a file that cannot be used
  2  misused: no such command or option
  3  in part: some would fail or did (plan, apply, bulk-update), or something is otherwise than expected (check-service)

Settings come from the environment. "kb-gateway serve --config-check" prints them with their values, and the page
"settings" of the documentation explains them.
`;

export const BULK_UPDATE_HELP = `kb-gateway bulk-update: update articles from a file, through a gateway that runs

Usage:
  kb-gateway bulk-update FILE --preview   print what would change, then what would fail, and write nothing
  kb-gateway bulk-update FILE             submit the rows that change something as one job, and show how it goes on
  kb-gateway bulk-update FILE --resume    wait for your unfinished jobs, then submit what they have not done
  kb-gateway bulk-update --jobs           list your jobs, the latest first
  kb-gateway bulk-update --undo JOB       put back what a job changed, where nobody has touched it since (--preview shows it)

FILE has a row for each article: .ndjson or .jsonl (an object on each line), .json (an array of objects, or
{ "articles": [...] }), or .csv (the header names the fields; commas, semicolons or tabs). It has at most 256 MiB.

Fields, of which articleId is always there:
  ${MEMBERS.map(([name]) => name).join(', ')}
hidden is true or false (in CSV also yes or no, 1 or 0, WAHR or FALSCH and the like), and translationStatus NONE,
NEEDS_TRANSLATION or TRANSLATED. Rows that empty a title or name an article again are warned of.
In CSV an empty cell leaves its field as it is, \\N means null, and the column revision is ifRevision. A name that begins
with _ is ignored.

Options:
  --url URL             the gateway's GraphQL (KB_GATEWAY_URL, http://127.0.0.1:4000/graphql)
  --token TOKEN         the API token. Other users of this machine see it: set KB_API_TOKEN instead, or KB_JWT where the
                        gateway knows its clients by a JWT
  --columns C=f,...     CSV: the column C has the field f; C= ignores the column. "export --csv" takes the same, and writes
                        these columns
  --failed FILE         where rows go that were not updated, or not published, with reasons (articles.failed.csv for articles.csv)
  --for-spreadsheet     CSV: begin each cell of that file with ' that a spreadsheet would take for a formula, and those
                        that begin with ' already. bulk-update takes it away when it reads the file
  --publish             publish each article once it is updated, or put back, in the name of the team account of --user ID,
                        with the message of --message TEXT (not for --undo). A JWT needs the scope articles:publish as well
  --if-published R      rows that change the text of a published version: fork (a new draft is changed, in the name of the
                        team account of --user ID), skip, or update (the default); of --undo, fork is the default
  --keep-before         keep the values of each article before, so that --undo can put it back. Rows that can't be read
                        before are not sent, and source is refused
  --ignore-revisions    overwrite what has changed since the revision of a row
  --only-failures       of a preview, print only the rows that would fail
  --key KEY             the idempotency key of the job: all rows are sent, without comparing them

Exit codes:
  0  all rows were updated, and published with --publish; with --preview: none would fail
  1  not run, or not watched to the end: a wrong row (then nothing was sent), a gateway that cannot be reached, Ctrl-C
  2  misused: a wrong option
  3  some rows were not updated or published (they are in the file of --failed), or, with --preview, would fail
`;
