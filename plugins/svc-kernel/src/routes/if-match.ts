/**
 * Optimistic locking (RFC 9110, 13.1.1). `If-Match` names the version that the caller saw: the time of the last
 * change, as an entity tag. If the record has changed since, the request is refused, and the answer shows the current
 * record. Without the header, the last write wins.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChangedMeanwhile } from '../errors.ts'

const TAG = /^"(\d{1,16})"$/

/** The version in `If-Match`, epoch ms; `undefined` without the header. A foreign tag matches no version. */
export function ifMatch({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const given = headers['if-match']
  if (given === undefined || given === '*') return undefined
  const [, version] = TAG.exec(given) ?? []
  return version === undefined ? -1 : Number(version)
}

/** Sets `ETag` to the version of the answer. @param updatedAt epoch ms; `null` if unknown */
export function tagVersion(reply: FastifyReply, updatedAt: number | null): void {
  if (updatedAt !== null) reply.header('etag', `"${updatedAt}"`)
}

/** @param what the record, such as `the user` @param current its current state, which the answer shows */
export function changedMeanwhile(what: string, current: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new ChangedMeanwhile(what), { current })
}
