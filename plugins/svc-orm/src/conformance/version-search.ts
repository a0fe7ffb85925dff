/** What versions of an entity search, and what is then found. The words are read apart from the code that makes them. */
import assert from 'node:assert/strict'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition, FieldDefinition } from '../entities/entity-definition.ts'
import type { Repository } from '../repository/repository.ts'
import type { ModelRow } from './migration-model.ts'

/** The texts, one of them where it is `bounded`. */
export function searchOf(
  fields: Readonly<Record<string, FieldDefinition>>,
  bounded: boolean
): Pick<EntityDefinition, 'search'> {
  const texts = Object.keys(fields).filter((each) => {
    return fields[each]?.array !== true && ['string', 'text'].includes(String(fields[each]?.type))
  })
  return texts.length === 0 ? {} : { search: texts.slice(0, bounded ? 1 : 3) }
}

/** Each word finds the rows that have it. */
export async function sameWords(
  repository: Repository,
  { search = [] }: CompiledEntity,
  rows: readonly ModelRow[]
): Promise<void> {
  const words = rows.map((row) => search.flatMap(({ field }) => wordsOf(row[field])))
  for (const word of new Set(words.flat())) {
    const having = words.filter((each) => each.includes(word)).length
    const order = [['$rank', 'DESC']] as const
    assert.equal((await repository.find({ $search: word }, { order })).length, having, `rows with the word ${word}`)
  }
}

function wordsOf(text: unknown): readonly string[] {
  const letters = typeof text === 'string' ? text.toLowerCase() : ''
  return letters.split(/[^a-z0-9]+/).filter((word) => word !== '')
}
