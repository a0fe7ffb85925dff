/**
 * `npm run release -- sbom`: writes `sbom.cdx.json`, what the packages depend on at run time, in CycloneDX. npm leaves out, with
 * `--omit=dev`, what the repository uses for its tests as well, and lists the tools without it: so its whole list is cut
 * down to what the manifests of the packages lead to.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-step.mjs'

const { stdout, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--workspaces'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit']
})
if (status !== 0) process.exit(status ?? 1)
const bom = JSON.parse(stdout)
const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'))
const edges = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
const kept = new Set()

const packages = readdirSync(join(root, 'plugins')).map((folder) => {
  const manifest = JSON.parse(readFileSync(join(root, 'plugins', folder, 'package.json'), 'utf8'))
  const { name, version, dependencies, peerDependencies, optionalDependencies } = manifest
  const direct = { ...dependencies, ...peerDependencies, ...optionalDependencies }
  const ref = `${name}@${version}`
  edges.set(
    ref,
    (edges.get(ref) ?? []).filter((other) => nameOf(other) in direct)
  )
  return ref
})
for (const ref of packages) keep(ref)

function keep(ref) {
  if (kept.has(ref)) return
  kept.add(ref)
  for (const other of edges.get(ref) ?? []) keep(other)
}

bom.components = bom.components.filter((component) => kept.has(component['bom-ref']))
bom.dependencies = [...kept].filter((ref) => edges.has(ref)).map((ref) => ({ ref, dependsOn: edges.get(ref) }))
writeFileSync(join(root, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
process.stdout.write(`sbom.cdx.json: ${bom.components.length} components\n`)
