/** The applications that are measured, in the order of the rows, and the versions of what they are built on. */
import { readFileSync } from 'node:fs'

export interface Server {
  readonly name: string
  /** URL of the module that serves. */
  readonly file: string
  /** Packages whose versions the output names; none of ours. */
  readonly packages: readonly string[]
}

const root = new URL('../../../../', import.meta.url)
const peers = new URL('.config/peers/', root)

export const BY_HAND = 'Fastify by hand'
export const OURS = 'svc'
export const NEST = 'NestJS'

export const SERVERS: readonly Server[] = [
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

/** @returns such as `hono 4.13.19`, of every package of every application */
export function versions(): string[] {
  return SERVERS.flatMap(({ name, packages }) =>
    packages.map((installed) => {
      const folder = name === BY_HAND ? root : peers
      const { version } = JSON.parse(readFileSync(new URL(`node_modules/${installed}/package.json`, folder), 'utf8'))
      return `${installed} ${version}`
    })
  )
}
