/**
 * Requests that this process makes to routes of its own server: those of an open WebSocket, and runs of jobs. They go
 * through every hook like any other, but prove nothing by headers. The mark is put on the raw request in this process, so
 * nothing that travels over the network can claim it.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { OperationRun } from '../jobs/operation-run.ts'

/** A property of the request itself: a `WeakMap` with a key per request makes each collection of garbage look through it. */
const mark = Symbol('svc.inner')

interface Mark {
  readonly by: FastifyRequest | OperationRun
  readonly overSocket: boolean
}

interface Marked {
  [mark]?: Mark
}

/**
 * Marks a raw request, before it is routed, as made by the socket that `opener` opened, or, with `overSocket: false`, for
 * the request `opener` itself.
 */
export function markInvocation(raw: Pick<IncomingMessage, 'headers'>, opener: FastifyRequest, overSocket = true): void {
  ;(raw as Marked)[mark] = { by: opener, overSocket }
}

/** Whether a request that another one caused was made over its socket. */
export function isOverSocket({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return (raw as Marked)[mark]?.overSocket !== false
}

/** Marks a raw request, before it is routed, as the run of a job. */
export function markOperation(raw: object, run: OperationRun): void {
  ;(raw as Marked)[mark] = { by: run, overSocket: true }
}

/** The upgrade request of the socket that makes this request; `null` for every request from outside. */
export function openerOf({ raw }: Pick<FastifyRequest, 'raw'>): FastifyRequest | null {
  const by = (raw as Marked)[mark]?.by
  return by === undefined || by instanceof OperationRun ? null : by
}

/** The run of a job that makes this request; `null` for every other. */
export function operationOf({ raw }: Pick<FastifyRequest, 'raw'>): OperationRun | null {
  const by = (raw as Marked)[mark]?.by
  return by instanceof OperationRun ? by : null
}

/** Whether this process made the request. */
export function isInner({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return (raw as Marked)[mark] !== undefined
}
