/**
 * Secrets at rest that take a new key: once per start, each that still rests under a former key is sealed under the first
 * one, in the background and in small pages. Of instances at once one writes a row; a row that changed meanwhile is left
 * as it is, since what changed it sealed it anew.
 */
import type { FastifyInstance } from 'fastify'
import { appHost } from 'svc-kernel'
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

export interface ResealParts {
  /** Of what, as the log names it: `secrets of webhooks`. */
  readonly name: string
  readonly box: Pick<SecretBox, 'reseal' | 'hasFormerKeys'>
  /** Absent in a store of the application's own. */
  readonly reseal: ResealRows | undefined
}

/** Begins once the application is ready; nothing waits for it but the close. */
export function resealAtStart(fastify: FastifyInstance, { name, box, reseal }: ResealParts): void {
  const { checkOnly, command = false } = appHost(fastify)
  if (!box.hasFormerKeys || checkOnly || command) return
  const { log } = fastify
  if (reseal === undefined) {
    log.warn(`the store of the ${name} cannot encrypt them with a new key: keep the previous key in the list`)
    return
  }
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      const counts = await reseal(box, () => isStopped)
      if (isStopped) return
      if (counts.unreadable > 0) log.warn(counts, `some ${name} are encrypted with a key that is not in the list`)
      else log.info(counts, `all ${name} are encrypted with the first key: you can remove the others from the list`)
    } catch (error) {
      log.warn({ err: error }, `the ${name} could not be encrypted with the first key; the next start tries again`)
    }
  }
  fastify.addHook('onReady', async () => {
    running = run()
  })
  fastify.addHook('preClose', async () => {
    isStopped = true
    await running
  })
}
