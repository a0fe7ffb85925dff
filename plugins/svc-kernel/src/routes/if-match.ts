/**
 * Changes that say what they were made from (RFC 9110, 13.1.1): `If-Match` names the version that the caller saw, the
 * time of the last change as an entity tag, and a change of something that has changed since is refused with what it is
 * now. Without the header the last of two writers wins, as before.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChangedMeanwhile } from '../errors.ts'

const TAG = /^"(\d{1,16})"$/

/** The version a request was made from, epoch ms; `undefined` where it does not say. What is no tag of ours matches none. */
export function ifMatch({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const given = headers['if-match']
  if (given === undefined || given === '*') return undefined
  const [, version] = TAG.exec(given) ?? []
  return version === undefined ? -1 : Number(version)
}

/** Names the version of what is answered, in `ETag`. @param updatedAt epoch ms; `null` where none is known */
export function tagVersion(reply: FastifyReply, updatedAt: number | null): void {
  if (updatedAt !== null) reply.header('etag', `"${updatedAt}"`)
}

/** @param what is changed, such as `the user` @param current how it is now; the answer shows it */
export function changedMeanwhile(what: string, current: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new ChangedMeanwhile(what), { current })
}
