/** The output of `bulk-update --help`. */
export const BULK_UPDATE_HELP = `kb-gateway bulk-update: update articles from a file, through a gateway that runs

Usage:
  kb-gateway bulk-update FILE --preview   print what would change, and write nothing
  kb-gateway bulk-update FILE             submit the rows as one job, and show how it goes on
  kb-gateway bulk-update FILE --resume    go on with the job of an earlier run with this file
  kb-gateway bulk-update --cancel JOB     cancel a job: what it has not begun is not attempted

FILE has a row for each article: .ndjson or .jsonl (an object on each line), .json (an array of objects, or
{ "articles": [...] }), or .csv (the header names the fields). - reads stdin, with --format.

Fields: articleId (always), languageCode, title, content, htmlContent, categoryId, hidden (true or false),
versionNumber, translationStatus (NONE, NEEDS_TRANSLATION or TRANSLATED), source, order.
In CSV an empty cell leaves its field as it is, and \\N stands for null. A name that begins with _ is ignored.

Options:
  --url URL             the gateway's GraphQL (KB_GATEWAY_URL, http://127.0.0.1:4000/graphql)
  --token TOKEN         the API token. Other users of this machine see it: set KB_API_TOKEN instead
  --jwt JWT             the JWT, where the gateway knows its clients by one. Better: KB_JWT
  --columns C=f,...     CSV: the column C has the field f; C= ignores the column
  --format FORMAT       csv, json or ndjson
  --failed FILE         where rows go that were not updated, with reasons (articles.failed.csv for articles.csv)
  --for-spreadsheet     CSV: begin each cell of that file with ' that a spreadsheet would take for a formula, and those
                        that begin with ' already. bulk-update takes it away when it reads the file
  --key KEY             the idempotency key of the job (made from the content of FILE)

Exit codes:
  0  all rows were updated; with --preview or --cancel: done
  1  not run, or not watched to the end: a wrong row (then nothing was sent), a gateway that cannot be reached, Ctrl-C
  2  misused: a wrong option
  3  some rows were not updated; they are in the file of --failed
`;
