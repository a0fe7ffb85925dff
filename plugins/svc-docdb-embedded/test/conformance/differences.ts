/**
 * What an engine answers otherwise than the suite expects, by the name of the check. Each line stands on the page of
 * document engines as well.
 */
export type Differences = Readonly<Record<string, string>>

/** The suite follows MongoDB, and so does the embedded engine: nothing may differ. */
export const EMBEDDED: Differences = {}

/** PostgreSQL 18 with the DocumentDB extension 1.0, behind a gateway for verification. */
export const DOCUMENTDB: Differences = {
  'duplicate key: keyPattern and keyValue name it': 'the failure has neither',
  'refused: $pop of a scalar (14)': 'refused with 2',
  'refused: a path with an empty part (56)': 'refused with 2',
  'refused: a $-prefixed field (52)': 'refused with 2',
  'refused: an unknown expression (168)': 'refused with a code of the gateway',
  'refused: an unknown accumulator (15952)': 'refused with a code of the gateway',
  'refused: a document over 16 MiB (10334)': 'refused with 2',
  'refused: an array as _id (2), an unknown command (59), an unknown option (40415)':
    'an unknown option is refused with 2',
  'parallel arrays cannot be indexed (171)': 'the document is taken',
  'collections: create twice (48), list, drop': 'the second creation succeeds',
  'concurrent upserts inside transactions: one document, no 11000': 'some fail with 11000'
}
