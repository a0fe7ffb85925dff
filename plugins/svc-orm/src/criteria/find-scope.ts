/** What the parsing of criteria and options needs besides the entity. */
import type { IdForm, SearchedWord } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'

/** The entities that relations reach. @throws UnknownEntity */
export type EntityLookup = (name: string) => CompiledEntity

export interface FindScope {
  readonly ids: IdForm
  readonly entityOf: EntityLookup
  /** Of entities with `softDelete`. */
  readonly withDeleted: boolean
  /** What every row is searched for. Default: nothing. */
  readonly words?: readonly SearchedWord[]
}
