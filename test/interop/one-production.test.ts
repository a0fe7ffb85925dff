/**
 * Whether this is production is one question with one answer, with the module loader and on a bare Fastify: the keys of
 * tokens, codes and webhooks, unknown stores and the texts of failures all follow it.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import { defineConfig, loadModules, type ModuleEntry } from 'svc-host'
import { type BootError, inProduction } from 'svc-kernel'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import svcStores from 'svc-stores'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'

const jwt = { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) }
const users = { parts: { users: { findByIdentifier: () => null } } }

const hosts: Record<string, (fastify: FastifyInstance, modules: readonly ModuleEntry[]) => Promise<void>> = {
  'a bare Fastify': async (fastify, modules) => {
    for (const entry of modules) {
      const [plugin, options] = typeof entry === 'function' ? [entry, {}] : entry
      await fastify.register(plugin, options)
    }
  },
  'the module loader': (fastify, modules) => loadModules(fastify, defineConfig({ modules }), { root: process.cwd() })
}

function withNodeEnv(t: Test, value: string | undefined): void {
  const before = process.env.NODE_ENV
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  if (value === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = value
}

/** @returns the codes that the boot was refused with, or `boots` */
async function outcome(t: Test, host: string, ...modules: ModuleEntry[]): Promise<string | string[]> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  try {
    await hosts[host]?.(fastify, modules)
    await fastify.ready()
    return 'boots'
  } catch (error) {
    return (error as BootError).problems.map(({ code }) => code)
  }
}

for (const host of Object.keys(hosts)) {
  for (const [value, production] of [
    ['production', true],
    [undefined, true],
    ['staging', true],
    ['development', false],
    ['test', false]
  ] as const) {
    t.test(`S7: ${host}, NODE_ENV ${value ?? 'not set'}`, async (t) => {
      withNodeEnv(t, value)
      const or = (refusal: string) => (production ? [refusal] : 'boots')
      t.strictSame(await outcome(t, host, [svcSecurity, { jwt: {}, ...users }]), or('SVC_SEC_KEYS'), 'signing keys')
      t.strictSame(await outcome(t, host, [svcSecurity, { jwt, totp: {}, ...users }]), or('SVC_SEC_TOTP_KEY'), 'codes')
      const unknown: ModuleEntry[] = [svcStores, [svcSecurity, { session: { store: 'docdb' }, ...users }]]
      const disabled = value === 'development'
      t.strictSame(await outcome(t, host, ...unknown), disabled ? 'boots' : ['SVC_STORE_UNKNOWN'], 'an unknown store')

      const fastify = Fastify()
      t.teardown(() => fastify.close())
      await hosts[host]?.(fastify, [svcWebhooks])
      await fastify.ready()
      t.equal(fastify.webhooks.enabled, !production, 'webhooks without a key')
      t.equal(inProduction(fastify), production)
    })
  }
}
