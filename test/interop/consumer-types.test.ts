/** An application that imports every package type-checks under each module resolution, declarations included. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { temporaryFolder } from '../support/shop.ts'
import { run } from '../support/svc-command.ts'
import { ROOT } from './documentation/repository.ts'

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
