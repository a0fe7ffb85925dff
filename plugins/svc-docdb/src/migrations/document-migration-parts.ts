/** What a migration of documents works with. */
import type { Db } from 'mongodb'
import type { FoundInPlace } from 'svc-orm/driver'
import type { DocumentLosses } from './document-losses.ts'
import type { MigrationLease } from './migration-lease.ts'
import type { MigrationProgress } from './migration-progress.ts'

export interface DocumentMigrationParts {
  readonly db: Db
  /** What keeps the documents of an entity. */
  readonly collectionOf: (entity: string) => string
  readonly lease: MigrationLease
  /** `null`: steps are shown, and nothing is done. */
  readonly progress: MigrationProgress | null
  readonly show: (text: string) => void
  /** What stood already: noted on the way up, left on the way back. */
  readonly found: FoundInPlace
  readonly reached: (step: string) => void
  /** Of a preview of the way back. */
  readonly losses: DocumentLosses | null
}
