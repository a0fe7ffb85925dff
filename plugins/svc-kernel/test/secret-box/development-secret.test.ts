/** Keys that nobody configured: how long they live, and who shares them. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { AppHost, Mode } from '../../src/plugin/app-host.ts'
import { developmentSecret } from '../../src/secret-box/secret-box.ts'

function host(mode: Mode, root = `/${randomUUID()}`): AppHost {
  return { name: 'app', root, mode, checkOnly: false, importModule: async () => ({}) }
}

t.test('N1: in development a secret outlives the application that made it', async (t) => {
  const { root } = host('development')
  const first = developmentSecret(host('development', root), 'a', randomUUID)
  t.equal(developmentSecret(host('development', root), 'a', randomUUID), first)
  t.not(developmentSecret(host('development', root), 'b', randomUUID), first, 'by its name')
  t.not(developmentSecret(host('development'), 'a', randomUUID), first, 'another application has its own')
})

t.test('N1: it also outlives the module', async (t) => {
  const { root } = host('development')
  const first = developmentSecret(host('development', root), 'a', randomUUID)
  const url = new URL('../../src/secret-box/secret-box.js?again', import.meta.url)
  const again = (await import(url.href)) as { developmentSecret: typeof developmentSecret }
  t.not(again.developmentSecret, developmentSecret)
  t.equal(again.developmentSecret(host('development', root), 'a', randomUUID), first)
})

t.test('N1: elsewhere every application makes its own', async (t) => {
  for (const mode of ['test', 'production'] as const) {
    const { root } = host(mode)
    const first = developmentSecret(host(mode, root), 'a', randomUUID)
    t.not(developmentSecret(host(mode, root), 'a', randomUUID), first, mode)
  }
})
