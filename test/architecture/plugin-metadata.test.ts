/** A plugin has one name: its folder, its npm package and the name Fastify knows it by are the same. */
import t from 'tap'
import { type PackageJson, packageNames, readJson } from './repository.ts'

/** Packages whose entry is not a Fastify plugin, with the reason. */
const NOT_PLUGINS: Readonly<Record<string, string>> = {
  'svc-cli': 'a command',
  'svc-client': 'a library of pages and programs',
  'svc-host': 'what runs plugins',
  'svc-docdb-embedded': 'a function',
  'svc-bullmq': 'a function',
  'svc-queue': 'what packages build on'
}

const NAME = Symbol.for('fastify.display-name')
const META = Symbol.for('plugin-meta')
const SKIP_OVERRIDE = Symbol.for('skip-override')

interface Entry {
  default: Record<symbol, unknown>
}

for (const name of packageNames()) {
  t.test(name, async (t) => {
    t.equal(readJson<PackageJson>(`plugins/${name}/package.json`).name, name, 'the npm name is the folder')
    if (name in NOT_PLUGINS) return
    const entry = (await import(name)) as Entry
    t.type(entry.default, 'function', 'the default export is the plugin')
    t.match(entry.default[META], { name, fastify: '5.x' }, 'the metadata names plugin and Fastify')
    t.equal(entry.default[NAME], name, 'Fastify shows the name')
    t.equal(entry.default[SKIP_OVERRIDE], true, 'hooks and decorators reach the parent scope')
  })
}
