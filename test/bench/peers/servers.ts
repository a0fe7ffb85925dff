/** The applications that are measured, in the order of the rows, and the versions of what they are built on. */
import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installPackages } from '../measured/installed-packages.ts'

export interface Server {
  readonly name: string
  /** URL of the module that serves. */
  readonly file: string
  /** Packages whose versions the output names; none of ours. */
  readonly packages: readonly string[]
}

const root = new URL('../../../../', import.meta.url)
const peers = new URL('.config/peers/', root)

export const BARE = 'bare Fastify'
export const BY_HAND = 'Fastify by hand'
export const OURS = 'svc'
export const NEST = 'NestJS'

/** Ours among the others is as they are: as it is published. @param folder empty; takes its packages */
export async function installServers(folder: string): Promise<readonly Server[]> {
  await installPackages(folder)
  const compiled = fileURLToPath(new URL('../../', import.meta.url))
  for (const part of ['bench', 'support']) await cp(join(compiled, part), join(folder, part), { recursive: true })
  const file = pathToFileURL(join(folder, 'bench/peers/svc/app.js')).href
  return SERVERS.map((server) => (server.name === OURS ? { ...server, file } : server))
}

const SERVERS: readonly Server[] = [
  { name: BARE, file: new URL('bare-server.js', import.meta.url).href, packages: [] },
  {
    name: BY_HAND,
    file: new URL('fastify-server.js', import.meta.url).href,
    packages: ['fastify', '@fastify/jwt', '@fastify/websocket']
  },
  { name: OURS, file: new URL('svc/app.js', import.meta.url).href, packages: [] },
  {
    name: NEST,
    file: new URL('nest/dist/main.js', peers).href,
    packages: ['@nestjs/core', '@nestjs/platform-fastify', '@nestjs/platform-ws']
  },
  {
    name: 'AdonisJS',
    file: new URL('adonis/bin/server.js', peers).href,
    packages: ['@adonisjs/core', '@adonisjs/auth', '@adonisjs/bouncer']
  },
  { name: 'Hono', file: new URL('hono/server.mjs', peers).href, packages: ['hono', '@hono/node-server'] }
]

/** @returns such as `hono 4.13.19`, of every package of the applications */
export function versions(servers: readonly Server[]): string[] {
  return servers.flatMap(({ name, packages }) =>
    packages.map((installed) => {
      const folder = name === BY_HAND ? root : peers
      const { version } = JSON.parse(readFileSync(new URL(`node_modules/${installed}/package.json`, folder), 'utf8'))
      return `${installed} ${version}`
    })
  )
}
