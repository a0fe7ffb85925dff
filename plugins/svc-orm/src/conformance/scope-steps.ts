/** Steps of an organisation, at random: most of them ask, some of them write. */
import fc from 'fast-check'
import { filter, level, reads, writes } from './scope-questions.ts'
import { relatedReads } from './scope-related-questions.ts'

const asked = fc
  .tuple(filter, level)
  .chain(([each, limit]) => fc.constantFrom(...reads(each, limit + 1), ...relatedReads(each, limit + 1)))
const written = fc.tuple(filter, level).chain(([each, stars]) => fc.constantFrom(...writes(each, stars)))
export const step = fc.oneof({ weight: 5, arbitrary: asked }, { weight: 1, arbitrary: written })
