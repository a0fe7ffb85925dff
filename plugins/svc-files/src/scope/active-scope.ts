/**
 * To whom the files of a call belong: the row scope of svc-orm, what the application reads of the request, or the
 * application itself. Without a value there is none, and the call fails: it never sees all files.
 */
import type { FastifyInstance } from 'fastify'
import { BootError, currentRequest } from 'svc-kernel'
import { hasOnlyStorableText } from 'svc-stores/table'
import { NoFileScope } from '../errors.ts'
import type { FilesConfig, SvcFilesParts } from '../options.ts'

/** @param call what asks, for the message @returns the scope of the caller @throws NoFileScope */
export type ActiveScope = (call: string) => string

/** Of an application whose files all belong to it. No other scope is empty. */
const WHOLE = ''

/** @throws BootError SVC_FILES_SCOPE where nothing says to whom files belong, or two things do */
export function activeScope(
  fastify: FastifyInstance,
  { scope }: FilesConfig,
  { scope: read }: SvcFilesParts
): ActiveScope {
  if ((scope === undefined) === (read === undefined)) throw new BootError([scopeProblem(scope !== undefined)])
  if (scope === false) return () => WHOLE
  return (call) => {
    const value = scope === undefined ? ofRequest(read) : ofRows(fastify, scope)
    if (typeof value !== 'string') throw new NoFileScope(call)
    return checkedScope(value, call)
  }
}

/** @throws NoFileScope for what is no text, or empty */
export function checkedScope(value: string, call: string): string {
  if (typeof value !== 'string' || value === '' || !hasOnlyStorableText(value)) throw new NoFileScope(call)
  return value
}

/** The scopes go along with a job, so a job has that in which it was added. */
function ofRows(fastify: FastifyInstance, name: string): unknown {
  const { scopes } = (fastify.carriedContexts.take() ?? {}) as { scopes?: Readonly<Record<string, string>> }
  return scopes !== undefined && Object.hasOwn(scopes, name) ? scopes[name] : null
}

function ofRequest(read: SvcFilesParts['scope']): string | null {
  const request = currentRequest()
  return request === undefined ? null : (read?.(request) ?? null)
}

function scopeProblem(isTwice: boolean) {
  return {
    code: 'SVC_FILES_SCOPE',
    message: isTwice ? 'files have two scopes' : 'nothing says to whom files belong',
    at: 'svc-files.scope',
    got: isTwice ? 'the option scope and parts.scope' : 'no scope',
    expected: 'a row scope of svc-orm, false for an application that shares its files, or parts.scope',
    fix: isTwice ? 'remove parts.scope' : "scope: 'organization'",
    more: 'npx svc docs storing-files'
  }
}
