/** What holds for every plugin: registered twice it says so, and `svc module:add` knows it. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { pluginMeta } from 'svc-kernel/plugin'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { ROOT } from './documentation/repository.ts'

/** Packages whose default export is a plugin with options of ours. */
async function plugins(): Promise<Map<string, FastifyPluginAsync>> {
  const found = new Map<string, FastifyPluginAsync>()
  for (const name of packageNames()) {
    const { default: plugin } = (await import(name)) as { default?: FastifyPluginAsync }
    if (plugin !== undefined && pluginMeta(plugin).optionsSchema !== undefined) found.set(name, plugin)
  }
  return found
}

t.test('N6: module:add knows every plugin but the kernel, which comes by itself', async (t) => {
  const table = pathToFileURL(join(ROOT, 'plugins/svc-cli/dist/src/modules/known-modules.js')).href
  const { KNOWN_MODULES } = (await import(table)) as { KNOWN_MODULES: Record<string, { package: string }> }
  const known = Object.values(KNOWN_MODULES).map((module) => module.package)
  t.strictSame(known.sort(), [...(await plugins()).keys()].filter((name) => name !== 'svc-kernel').sort())
})

/** What a plugin cannot be registered without. */
const NEEDED: Readonly<Record<string, object>> = {
  'svc-security': { areas: { api: { pattern: '^/api', authenticators: ['session'] } } },
  'svc-sqlorm': { connectors: { default: { url: 'sqlite::memory:' } } },
  'svc-events': { routes: false },
  'svc-files': { scope: false },
  'svc-mcp': { hosts: ['api.example.org'] },
  'svc-mail': { from: 'shop@example.org', outbox: true }
}

/** What comes before it. */
const BEFORE: Readonly<Record<string, readonly string[]>> = { 'svc-organizations': ['svc-security'] }

t.test('N6: a second registration is refused in five parts', async (t) => {
  const all = await plugins()
  for (const [name, plugin] of all) {
    // Controllers may come in several registrations.
    if (name === 'svc-decorators') continue
    const fastify = Fastify()
    for (const before of BEFORE[name] ?? []) {
      await fastify.register(all.get(before) as FastifyPluginAsync, NEEDED[before] ?? {})
    }
    await fastify.register(plugin, NEEDED[name] ?? {})
    const refused = {
      code: 'SVC_MODULE_DUPLICATE',
      problems: [{ message: new RegExp(`^${name} is registered twice`) }]
    }
    await t.rejects(async () => fastify.register(plugin, NEEDED[name] ?? {}), refused, name)
    await fastify.close().catch(() => undefined)
  }
})
