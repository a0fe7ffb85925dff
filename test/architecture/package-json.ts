/** What all `package.json` files of the repository have in common, and the projects the compiler must know of. */
import type { Finding } from './finding.ts'
import type { PackageJson } from './repository.ts'

export interface ProjectReferences {
  references?: { path: string }[]
}

/** `packages` by folder name; `root` is the repository's own manifest. */
export function packageJsonFindings(packages: Readonly<Record<string, PackageJson>>, root: PackageJson): Finding[] {
  return Object.entries(packages).flatMap(([name, json]) => {
    const path = `plugins/${name}/package.json`
    return expectations(name, json, root)
      .filter(({ holds }) => !holds)
      .map(({ fix }) => ({ path, line: 0, problem: 'differs from its neighbours', fix }))
      .concat(
        internalRanges(packages, json).map((fix) => ({
          path,
          line: 0,
          problem: 'names a version that is not here',
          fix
        }))
      )
  })
}

function expectations(name: string, json: PackageJson, root: PackageJson): { holds: boolean; fix: string }[] {
  const entry = json.exports?.['.']
  return [
    { holds: json.name === name, fix: `set "name" to "${name}"` },
    { holds: json.version === root.version, fix: `set "version" to "${root.version}"` },
    { holds: json.license === root.license, fix: `set "license" to "${root.license}"` },
    { holds: json.type === 'module', fix: 'set "type" to "module"' },
    { holds: json.engines?.node === '>=24', fix: 'set "engines.node" to ">=24"' },
    {
      holds: ['dist/src', 'src'].every((folder) => json.files?.includes(folder)),
      fix: 'put "dist/src" and "src" into "files": source maps lead to the sources'
    },
    { holds: json.keywords?.[0] === 'fastify', fix: 'begin "keywords" with "fastify"' },
    {
      holds: json.dependencies?.fastify === undefined,
      fix: 'make fastify a peer: a package beside an application uses its copy'
    },
    {
      holds: JSON.stringify(entry) === '{"types":"./dist/src/index.d.ts","default":"./dist/src/index.js"}',
      fix: 'export "." as { "types": "./dist/src/index.d.ts", "default": "./dist/src/index.js" }, in this order'
    },
    { holds: json.exports?.['./package.json'] === './package.json', fix: 'export "./package.json"' }
  ]
}

function internalRanges(packages: Readonly<Record<string, PackageJson>>, json: PackageJson): string[] {
  return Object.entries({ ...json.dependencies, ...json.devDependencies, ...json.peerDependencies }).flatMap(
    ([name, range]) => {
      const wanted = `^${packages[name]?.version}`
      return packages[name] === undefined || range === wanted ? [] : [`set the range of ${name} to "${wanted}"`]
    }
  )
}

/** Every package is compiled by the root project, seen by the spanning tests, and knows the packages it depends on. */
export function referenceFindings(
  packages: Readonly<Record<string, PackageJson>>,
  projects: Readonly<Record<string, ProjectReferences>>
): Finding[] {
  const wanted = Object.keys(packages).flatMap((name) => [
    { from: 'tsconfig.json', to: `plugins/${name}` },
    { from: 'test/tsconfig.json', to: `../plugins/${name}` },
    ...Object.keys({ ...packages[name]?.dependencies, ...packages[name]?.devDependencies })
      .filter((dependency) => packages[dependency] !== undefined)
      .map((dependency) => ({ from: `plugins/${name}/tsconfig.json`, to: `../${dependency}` }))
  ])
  return wanted
    .filter(({ from, to }) => projects[from]?.references?.some(({ path }) => path === to) !== true)
    .map(({ from, to }) => ({
      path: from,
      line: 0,
      problem: `does not refer to ${to}`,
      fix: `add { "path": "${to}" } to "references"`
    }))
}
