/** Which organisation a request names: by its path, a header, its host, or its key. Two that differ name none. Pure. */
import type { FastifyRequest } from 'fastify'
import { OrganizationNotFound } from '../errors.ts'

export interface NamingConfig {
  readonly path: string
  readonly header?: string
  readonly host?: string
}

/** Every name that a request gives, each once. */
export function namesOf(
  request: Pick<FastifyRequest, 'params' | 'headers' | 'hostname'>,
  naming: NamingConfig
): string[] {
  const { path, header, host } = naming
  const params = (request.params ?? {}) as Readonly<Record<string, unknown>>
  const names: unknown[] = []
  if (Object.hasOwn(params, path)) names.push(params[path])
  if (header !== undefined) names.push(request.headers[header.toLowerCase()])
  if (host !== undefined) names.push(labelOf(request.hostname, host))
  return [...new Set(names.filter((name) => name !== undefined && name !== null).map(textOf))]
}

/** A header that is sent twice, or is empty, names nothing that is there. @throws OrganizationNotFound (404) */
function textOf(name: unknown): string {
  if (typeof name === 'string' && name !== '' && name.length <= 100) return name
  throw new OrganizationNotFound()
}

/** `acme` of `acme.example.org`, where the hosts are below `example.org`. */
function labelOf(hostname: string, host: string): string | null {
  const suffix = `.${host.toLowerCase()}`
  const name = hostname.toLowerCase()
  if (!name.endsWith(suffix)) return null
  const label = name.slice(0, -suffix.length)
  return label === '' || label.includes('.') ? null : label
}
