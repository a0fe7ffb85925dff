/**
 * What an entry of the log carries beside its text, for a person: `name=value`, in
 * the order in which it was given. What the logger itself adds is left out, and the
 * value of a field whose name says that it is a secret is never shown.
 */

import { maskUrl } from './request-serializer.ts'

/** Of pino, of the plugin's child logger, and what the line says in another place. */
const PLUMBING = new Set(['level', 'time', 'pid', 'hostname', 'v', 'plugin', 'msg', 'err', 'method', 'url', 'req'])
const PARTS = new Set(['code', 'at', 'got', 'expected', 'fix', 'more'])
const SECRET = /token|secret|passw|api[-_]?key|signature|authorization|cookie/i

interface RequestFields {
  readonly method?: unknown
  readonly url?: unknown
}

/** @param isProblem its parts are shown in the shape of problems, and are no fields */
export function logFields(entry: Readonly<Record<string, unknown>>, isProblem: boolean): string[] {
  const fields = Object.entries(entry)
    .filter(([name, value]) => value !== undefined && !PLUMBING.has(name) && !(isProblem && PARTS.has(name)))
    .map(([name, value]) => `${name}=${shown(name, value)}`)
  const request = requestOf(entry)
  return request === null ? fields : [request, ...fields]
}

/** `GET /path`, as the request of a line is named. */
function requestOf(entry: Readonly<Record<string, unknown>>): string | null {
  const { method, url } = (typeof entry.req === 'object' && entry.req !== null ? entry.req : entry) as RequestFields
  if (method === undefined && url === undefined) return null
  const path = typeof url === 'string' ? maskUrl(url) : url
  return [method, path].filter((part) => part !== undefined).join(' ')
}

function shown(name: string, value: unknown): string {
  if (SECRET.test(name) && value !== null) return '***'
  if (typeof value === 'string') return /^[^\s="]+$/.test(value) ? value : JSON.stringify(value)
  return JSON.stringify(value, (key, inner) => (SECRET.test(key) && inner !== null ? '***' : inner))
}
