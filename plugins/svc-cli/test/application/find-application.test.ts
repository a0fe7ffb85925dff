/** Which folder a command works on, and what it says where there is none. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findRoot } from '../../src/application/find-application.ts'
import { CommandError } from '../../src/errors.ts'
import { emptyApp, sandbox } from '../support/sandbox.ts'

const COMMAND = 'svc dev'

function refusal(given: string | undefined, cwd: string) {
  try {
    findRoot(given, COMMAND, cwd)
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
  throw new Error('was not refused')
}

t.test('an application folder is its own root, also by --root', async (t) => {
  const app = emptyApp(t)
  t.equal(findRoot(undefined, COMMAND, app), app)
  t.equal(findRoot('.', COMMAND, app), app)
  t.equal(findRoot(app, COMMAND, sandbox(t)), app)
})

t.test('a deployment without sources is one too', async (t) => {
  const folder = sandbox(t)
  writeFileSync(join(folder, 'package.json'), '{}')
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'svc.config.js'), '')
  t.equal(findRoot(undefined, COMMAND, folder), folder)
  t.equal(refusal(undefined, join(folder, 'dist')).problems[0]?.code, 'SVC_NO_CONFIG', 'but its build folder is not')
})

t.test('below an application, it says how many levels up and how to get there', async (t) => {
  const app = emptyApp(t)
  mkdirSync(join(app, 'src', 'deep'), { recursive: true })
  const one = refusal(undefined, join(app, 'src'))
  t.equal(one.exitCode, 1)
  t.match(one.problems[0], {
    code: 'SVC_NO_CONFIG',
    message: `no svc config file in ${join(app, 'src')}; found one 1 level up`,
    fix: 'cd .. && npm run dev (or npx svc dev --root ..)'
  })
  t.match(refusal(undefined, join(app, 'src', 'deep')).problems[0], {
    message: /found one 2 levels up$/,
    fix: 'cd ../.. && npm run dev (or npx svc dev --root ../..)'
  })
})

t.test('above a lone application, it names the folder', async (t) => {
  const app = emptyApp(t)
  const parent = realpathSync(sandbox(t))
  mkdirSync(join(parent, 'shop'))
  for (const name of ['package.json', 'svc.config.ts']) writeFileSync(join(parent, 'shop', name), '{}')
  t.match(refusal(undefined, parent).problems[0], {
    message: /found one one folder down, in shop$/,
    fix: 'cd shop && npm run dev (or npx svc dev --root shop)'
  })
  t.match(refusal(parent, app).problems[0]?.fix, /^cd \.\.\/.*shop && npm run dev/, 'relative to where the person is')
})

t.test('elsewhere, it says that this is no application', async (t) => {
  t.match(refusal(undefined, sandbox(t)).problems[0], {
    message: /this is not an application folder$/,
    fix: 'npx svc create app NAME'
  })
})
