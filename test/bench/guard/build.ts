/** The packages of one checkout, loaded from its own build: two of them live side by side in one process. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Build {
  readonly fastify: typeof import('fastify')
  readonly audit: typeof import('svc-audit')
  readonly decorators: typeof import('svc-decorators')
  readonly orm: typeof import('svc-orm')
  readonly security: typeof import('svc-security')
  readonly securityHost: typeof import('svc-security/host')
  readonly sqlorm: typeof import('svc-sqlorm')
  readonly webhooks: typeof import('svc-webhooks')
}

/** @param folder of a checkout that is built */
export async function loadBuild(folder: string): Promise<Build> {
  const { resolve } = createRequire(join(folder, 'package.json'))
  const load = (name: string) => import(pathToFileURL(resolve(name)).href)
  return {
    fastify: await load('fastify'),
    audit: await load('svc-audit'),
    decorators: await load('svc-decorators'),
    orm: await load('svc-orm'),
    security: await load('svc-security'),
    securityHost: await load('svc-security/host'),
    sqlorm: await load('svc-sqlorm'),
    webhooks: await load('svc-webhooks')
  }
}
