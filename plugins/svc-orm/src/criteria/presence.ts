/** Rows of an entity with `softDelete`: those that are there, and those that are deleted. Pure. */
import type { Condition } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'

const PRESENT: readonly Condition[] = [{ field: 'deletedAt', operator: 'null', value: true }]
const EVERY: readonly Condition[] = []

/** What a row has to meet besides the criteria. */
export function presentRows({ softDelete }: CompiledEntity): readonly Condition[] {
  return softDelete ? PRESENT : EVERY
}

/** Of an entity with `softDelete` only. */
export const DELETED_ROWS: readonly Condition[] = [{ field: 'deletedAt', operator: 'null', value: false }]
