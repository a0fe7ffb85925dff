/**
 * An application that imports every package type-checks under each module resolution, declarations included.
 * In the long run: the compiler reads every declaration three times.
 */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { temporaryFolder } from '../support/shop.ts'
import { run } from '../support/svc-command.ts'
import { ROOT } from './documentation/repository.ts'

/** More threads would check what all of them use once each. */
const ONE_THREAD = '--singleThreaded'

const SETTINGS = [
  { moduleResolution: 'bundler', module: 'esnext' },
  { moduleResolution: 'node16', module: 'node16' },
  { moduleResolution: 'nodenext', module: 'nodenext' }
]

t.test('N6: no complaint without skipLibCheck', async (t) => {
  const folder = await temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = packageNames()
  const lines = packages.map((name, index) => `export * as p${index} from '${name}'`)
  writeFileSync(join(folder, 'all.ts'), `${lines.join('\n')}\n`)
  for (const { moduleResolution, module } of SETTINGS) {
    const flags = [
      ONE_THREAD,
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--types',
      'node',
      '--skipLibCheck',
      'false'
    ]
    const args = [...flags, '--module', module, '--moduleResolution', moduleResolution, 'all.ts']
    const { code, stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
      cwd: folder
    })
    t.equal(code, 0, `${moduleResolution}\n${stdout.slice(0, 2000)}`)
  }
})

t.test('request.user beside plugins that type it too, as the page says', async (t) => {
  const folder = await temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const page = readFileSync(join(ROOT, 'docs/reference/neighbours.md'), 'utf8')
  const flags = [
    ONE_THREAD,
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--types',
    'node',
    '--module',
    'nodenext'
  ]
  for (const neighbour of ['@fastify/jwt', '@fastify/passport']) {
    const target = neighbour === '@fastify/jwt' ? neighbour : 'fastify'
    const [declaration = ''] = new RegExp(`declare module '${target}' [^\`]+`).exec(page) ?? []
    const uses = [
      `import '${neighbour}'`,
      "import type { FastifyRequest } from 'fastify'",
      "import type { User } from 'svc-kernel'",
      'export const nameOf = ({ user }: FastifyRequest): string | undefined => user?.identifier'
    ]
    const check = async (...lines: string[]) => {
      writeFileSync(join(folder, 'app.ts'), lines.join('\n'))
      return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, 'app.ts'], { cwd: folder })
    }
    t.match((await check(...uses)).stdout, /'identifier' does not exist/, `${neighbour}: without the declaration`)
    const { code, stdout } = await check(...uses, declaration)
    t.equal(code, 0, `${neighbour}\n${stdout}`)
  }
})
