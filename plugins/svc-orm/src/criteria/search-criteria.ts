/** `$search`: rows whose texts have every word that is asked for, and the order of how well they fit. Pure. */
import { type Condition, type RankedValue, type SearchCondition, searchedWords } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { wordsName } from '../entities/searched-fields.ts'
import { InvalidCriteria, InvalidFindOptions } from '../errors.ts'
import type { FindScope } from './find-scope.ts'

export const SEARCH = '$search'
export const RANK = '$rank'

/** In UTF-16 units. */
const LONGEST = 1000
const MOST_WORDS = 32

/** @throws InvalidCriteria for what has no words, or too many */
export function parseSearch({ name, search }: CompiledEntity, given: unknown): SearchCondition {
  if (search === undefined) throw new InvalidCriteria(SEARCH, `an entity that declares search, unlike ${name}`)
  if (typeof given !== 'string' || given.length > LONGEST) {
    throw new InvalidCriteria(SEARCH, `text of at most ${LONGEST} characters`)
  }
  const words = searchedWords(given)
  if (words.length === 0) throw new InvalidCriteria(SEARCH, 'at least one word: letters or digits')
  if (words.length > MOST_WORDS) throw new InvalidCriteria(SEARCH, `at most ${MOST_WORDS} words`)
  return { operator: 'search', columns: search.map(({ field }) => wordsName(field)), words }
}

/** The scope of options beside these conditions: what every row is searched for is what `$rank` is about. */
export function searchedScope(scope: FindScope, { search }: CompiledEntity, where: readonly Condition[]): FindScope {
  if (search === undefined) return scope
  const words = where.flatMap((each) => (each.operator === 'search' ? each.words : []))
  return words.length === 0 ? scope : { ...scope, words }
}

/** @throws InvalidFindOptions */
export function rankedValue({ search = [] }: CompiledEntity, { words }: FindScope, walked: boolean): RankedValue {
  const at = `order of ${RANK}`
  if (walked) throw new InvalidFindOptions(at, 'a field, because it orders the pages; use find with limit and offset')
  if (words === undefined) throw new InvalidFindOptions(at, `criteria with ${SEARCH}, which every row meets`)
  return { kind: 'ranked', columns: search.map(({ field, weight }) => ({ column: wordsName(field), weight })), words }
}
