/** `svc keys` on the real process: the file, its mode, a rotation, and nothing private on the terminal. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp, edit, sandbox } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

interface Key {
  kid: string
  d?: string
  activeFrom: number
}

t.test('svc keys', async (t) => {
  const cwd = await createdApp(t)
  const path = join(cwd, 'keys', 'keyset.json')
  const printed: string[] = []
  const keys = () => (JSON.parse(readFileSync(path, 'utf8')) as { keys: Key[] }).keys
  const svc = async (...args: string[]) => {
    const result = await runSvc(['keys', ...args], { cwd })
    printed.push(result.stdout, result.stderr)
    return result
  }

  await t.test('without a folder', async (t) => {
    const { code, stderr } = await svc('list')
    t.equal(code, 1)
    t.match(stderr, /SVC_KEYS_DIR/)
  })

  await t.test('before there is one', async (t) => {
    for (const command of ['list', 'rotate']) {
      const { code, stderr } = await svc(command, '--dir', 'keys')
      t.equal(code, 1, command)
      t.match(stderr, /SVC_KEYS_NONE[\s\S]*npx svc keys generate/)
    }
  })

  await t.test('generate', async (t) => {
    const { code, stdout } = await svc('generate', '--dir', 'keys')
    t.equal(code, 0)
    t.match(stdout, /^keys\/keyset\.json: created, mode 0600; key [\w-]{43} signs from now on/)
    t.equal(statSync(path).mode & 0o777, 0o600)
    const before = readFileSync(path, 'utf8')
    const again = await svc('generate', '--dir', 'keys')
    t.equal(again.code, 1)
    t.match(again.stderr, /SVC_KEYS_EXISTS[\s\S]*svc keys rotate/)
    t.equal(readFileSync(path, 'utf8'), before, 'nothing is overwritten')
  })

  await t.test('rotate, in the folder that the config names', async (t) => {
    await edit(cwd, 'svc.config.ts', ['areas: {', "jwt: { dir: 'keys' },\n        areas: {"])
    const [first] = keys()
    chmodSync(path, 0o644)
    const { code, stdout } = await svc('rotate')
    t.equal(code, 0)
    const [next, before] = keys()
    t.equal(before?.kid, first?.kid)
    t.ok((next?.activeFrom ?? 0) > Date.now(), 'it takes over when every instance knows it')
    t.match(stdout, `key ${next?.kid} signs from `)
    t.equal(statSync(path).mode & 0o777, 0o600, 'rights that were too wide are taken back')
  })

  await t.test('list', async (t) => {
    const [next, first] = keys()
    const { code, stdout } = await svc('list')
    t.equal(code, 0)
    t.match(stdout, /^keys\/keyset\.json\n\nKID +STATE +SIGNS FROM +UNTIL\n/)
    t.match(stdout, new RegExp(`${next?.kid} +next +\\S+ +-`))
    t.match(stdout, new RegExp(`${first?.kid} +signs +\\S+ +\\S+`))
    const json = JSON.parse((await svc('list', '--json')).stdout) as { keys: object[] }
    t.match(json, {
      file: path,
      keys: [
        { kid: next?.kid, state: 'next' },
        { kid: first?.kid, state: 'signs' }
      ]
    })
    t.same(Object.keys(json.keys[0] ?? {}).sort(), ['activeFrom', 'kid', 'retiredAt', 'state'])
  })

  await t.test('nothing private was printed', async (t) => {
    for (const { d } of keys()) t.notMatch(printed.join(''), d ?? 'no private part')
  })

  await t.test('a file that is none', async (t) => {
    writeFileSync(path, '{ "keys": [{ "kty": "oct", "k": "secret-text" }] }')
    for (const command of ['list', 'rotate']) {
      const { code, stderr } = await svc(command)
      t.equal(code, 1)
      t.match(stderr, /SVC_KEYS_UNUSABLE/)
      t.notMatch(stderr, 'secret-text')
    }
  })
})

t.test('outside an application', async (t) => {
  const { code, stderr } = await runSvc(['keys', 'generate', '--dir', 'keys'], { cwd: sandbox(t) })
  t.equal(code, 1)
  t.match(stderr, /SVC_NO_CONFIG/)
})
