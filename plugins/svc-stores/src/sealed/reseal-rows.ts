/**
 * The rows of a store with secrets, sealed under the first key in small pages. Of instances at once one writes a row; a row
 * that changed meanwhile is left as it is, since what changed it sealed it under the first key.
 */
import type { SecretBox } from 'svc-kernel/plugin'
import { after } from '../table/operators.ts'
import type { Table } from '../table/table.ts'

/** A row whose secret is in a box. */
export interface SealedRow {
  readonly id: string
  /** `gcm1.` and base64url. */
  readonly secretEnc: string
}

export interface Resealed {
  /** How many rest under the first key now that did not before. */
  readonly resealed: number
  /** How many no listed key opens. */
  readonly unreadable: number
}

/** What a store with secrets offers beside its operations. */
export type ResealRows = (box: Pick<SecretBox, 'reseal'>, isStopped: () => boolean) => Promise<Resealed>

const PAGE = 100

export function resealRows<Row extends SealedRow & object>(table: Table<Row>): ResealRows {
  return async (box, isStopped) => {
    const counts = { resealed: 0, unreadable: 0 }
    let rows = await table.find({}, { limit: PAGE })
    while (rows.length > 0 && !isStopped()) {
      for (const { id, secretEnc } of rows) {
        const renewed = resealed(box, secretEnc)
        if (renewed === undefined) counts.unreadable += 1
        else if (renewed !== null) {
          const change = { set: { secretEnc: renewed } } as Parameters<Table<Row>['update']>[1]
          counts.resealed += await table.update({ id, secretEnc } as Parameters<Table<Row>['update']>[0], change)
        }
      }
      rows = await table.find(after<Row>([{ field: 'id', direction: 'ASC' }], rows.at(-1) as Row), { limit: PAGE })
    }
    return counts
  }
}

/** `undefined` where no key opens it. */
function resealed(box: Pick<SecretBox, 'reseal'>, secretEnc: string): string | null | undefined {
  try {
    return box.reseal(secretEnc)
  } catch {
    return undefined
  }
}
