/** What an engine is asked: what of it is not there is left out of the request. */
import type { Document } from 'bson'

export type Area = 'matching' | 'ordering' | 'projection' | 'updating' | 'aggregation'

export interface Operation {
  readonly area: Area
  readonly documents: readonly Document[]
  readonly filter?: Document
  readonly sort?: Document
  readonly projection?: Document
  readonly update?: Document
  readonly arrayFilters?: readonly Document[]
  readonly upsert?: boolean
  readonly pipeline?: readonly Document[]
}
