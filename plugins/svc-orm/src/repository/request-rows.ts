/**
 * The identity map of an HTTP request: rows that reads with `cache` have met, by what names one row. What the firewall
 * or a voter has read of a row is not read again below it. The first change of any row ends it, and so it never knows
 * what a write, a hook, or a transaction that is still open makes of a row. Over a WebSocket, whose one request lasts as
 * long as the socket, there is none.
 */
import type { FastifyRequest } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { copyRow } from 'svc-stores/table'
import type { ReadCache } from '../criteria/find-options.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'

/** A request that walks through more rows keeps the first ones. */
const MAX_ROWS = 100

/** `null`: ended. */
const ofRequests = new WeakMap<FastifyRequest, RequestRows | null>()

/** Those of the request being served; `null` outside of any, and once it has changed something. */
export function requestRows(): RequestRows | null {
  const request = currentRequest()
  if (request === undefined || request.headers.upgrade !== undefined) return null
  const known = ofRequests.get(request)
  if (known !== undefined) return known
  const rows = new RequestRows()
  ofRequests.set(request, rows)
  return rows
}

/** A row that this request has met, or the one that `read` finds. */
export async function cachedRow(
  entity: CompiledEntity,
  key: Readonly<Record<string, unknown>>,
  cache: ReadCache,
  read: () => Promise<AnyRow | null>
): Promise<AnyRow | null> {
  const rows = requestRows()
  const known = cache === 'request' ? rows?.find(entity, key) : undefined
  if (known !== undefined) return known
  const row = await read()
  if (row !== null) rows?.keep(entity, row)
  return row
}

/** Before a row is changed or removed. What is being read meanwhile is kept by nobody. */
export function endRequestRows(): void {
  const request = currentRequest()
  if (request !== undefined) ofRequests.set(request, null)
}

export class RequestRows {
  readonly #rows = new Map<CompiledEntity, Map<string, AnyRow>>()
  #size = 0

  /** A copy, which its reader may change. @param key plain values of one unique key */
  find(entity: CompiledEntity, key: Readonly<Record<string, unknown>>): AnyRow | undefined {
    const names = Object.keys(key)
    for (const row of this.#rows.get(entity)?.values() ?? []) {
      if (names.every((name) => row[name] === key[name])) return copyRow(row)
    }
    return undefined
  }

  /** @param row with all of its fields */
  keep(entity: CompiledEntity, row: AnyRow): void {
    const rows = this.#rows.get(entity) ?? new Map<string, AnyRow>()
    this.#rows.set(entity, rows)
    if (!rows.has(row.id)) {
      if (this.#size === MAX_ROWS) return
      this.#size += 1
    }
    rows.set(row.id, copyRow(row))
  }
}
