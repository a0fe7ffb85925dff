/** A row that an upsert would create must be one of the rows among which its key is unique: else each call would create another. */
import { holdsRow } from 'svc-stores/table'
import type { UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { indexRowsText } from '../entities/index-criteria.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue } from '../errors.ts'
import { storedRow } from './row-codec.ts'

/** @throws InvalidValue */
export function assertHeld(entity: CompiledEntity, row: AnyRow, { fields, of }: UniqueKey): void {
  if (of.length === 0 || holdsRow({ where: of }, storedRow(entity, row))) return
  const expected = `a row with ${indexRowsText(of)}, because ${fields.join(' + ')} is unique among such rows only`
  throw new InvalidValue(entity.name, expected)
}
