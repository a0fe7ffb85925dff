/**
 * A command that shares its process with others answers as it does in one of its own.
 * In the long run: it is about these tests, not about svc, and runs every command twice.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runInHost } from '../support/command-hosts.ts'
import { Shop } from '../support/shop.ts'
import { svc, svcAlone } from '../support/svc-command.ts'

t.test('the same output and exit code, whatever ran before', async (t) => {
  const shop = await Shop.create(t, 'api')
  const given = { cwd: shop.folder, env: { PORT: '5152' } }
  const commands = [
    ['routes', '--json'],
    ['info', '--json'],
    ['config:check'],
    ['routes'],
    ['explain', 'GET', '/api/hello'],
    ['module:add', 'nothing'],
    ['orm:reset'],
    ['--version'],
    ['rout']
  ]
  for (const words of commands) t.strictSame(await svc(words, given), await svcAlone(words, given), words.join(' '))
  await shop.edit('svc.config.ts', 'defineConfig({', 'defineConfig({ nothing: 1,')
  t.strictSame(await svc(['config:check'], given), await svcAlone(['config:check'], given), 'a wrong configuration')
})

t.test('what a command ends with is its result: an exit, an error, a time that is over', async (t) => {
  const folder = t.testdir()
  const run = async (name: string, code: string, timeoutMs = 60_000) => {
    const script = join(folder, `${name}.mjs`)
    await writeFile(script, code)
    return runInHost({ script, cwd: folder, env: { PATH: process.env.PATH, ONE: name } }, timeoutMs)
  }
  const told = 'console.log(process.env.ONE, process.cwd())\n'
  t.strictSame(await run('well', told), { code: 0, stdout: `well ${folder}\n`, stderr: '' })
  t.strictSame(await run('later', `${told}setTimeout(() => console.error('late'), 50)`), {
    code: 0,
    stdout: `later ${folder}\n`,
    stderr: 'late\n'
  })
  t.match(await run('exits', `${told}process.exit(3)`), { code: 3, stdout: `exits ${folder}\n` })
  t.match(await run('throws', 'throw new Error("on purpose")'), { code: 1, stderr: /on purpose/ })
  t.match(await run('stays', 'setInterval(() => {}, 1000)', 3000), { code: null, stdout: '' }, 'it is ended')
  t.strictSame(await run('again', told), { code: 0, stdout: `again ${folder}\n`, stderr: '' }, 'in another process')
})

t.test('a command ends while other callers ask for its host', async (t) => {
  const folder = t.testdir()
  const codes: (number | null)[] = []
  for (let round = 0; round < 10; round += 1) {
    const together = [0, 1, 2].map(async (place) => {
      const script = join(folder, `${round}-${place}.mjs`)
      await writeFile(script, 'setTimeout(() => {}, 1)')
      const { code } = await runInHost({ script, cwd: folder, env: { PATH: process.env.PATH } }, 5000)
      codes.push(code)
    })
    await Promise.all(together)
  }
  t.strictSame(codes, Array(30).fill(0))
})
