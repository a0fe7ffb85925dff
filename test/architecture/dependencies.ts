/** Third-party packages: declared where they are imported, imported where they are declared, and explained on a page. */
import type { Finding } from './finding.ts'
import { maskSource } from './mask-source.ts'
import type { PackageJson, SourceFile } from './repository.ts'
import { packageNamed, scanImports } from './scan-imports.ts'

/** What an imported package must be declared as, and the root's own development tools, which every test may use. */
export interface Manifests {
  own: PackageJson
  root: PackageJson
}

/** Imports of one package that its `package.json` does not declare, and dependencies that no source mentions. */
export function undeclaredFindings(owner: string, files: readonly SourceFile[], { own, root }: Manifests): Finding[] {
  const shipped = new Set([
    ...namesIn(own.dependencies),
    ...namesIn(own.peerDependencies),
    ...namesIn(own.optionalDependencies),
    owner
  ])
  const testing = new Set([...shipped, ...namesIn(own.devDependencies), ...namesIn(root.devDependencies)])
  return files.flatMap((file) => {
    const isTest = file.path.startsWith(`plugins/${owner}/test/`)
    return scanImports(file).flatMap(({ specifier, line, typeOnly }) => {
      const name = packageNamed(specifier)
      const allowed = isTest ? testing : shipped
      if (name === null || allowed.has(name) || (typeOnly && allowed.has(typesOf(name)))) return []
      // Types of answers are in no published script, and in no published type of a client.
      if (typeOnly && specifier.endsWith('/wire') && testing.has(name)) return []
      const field = isTest ? 'devDependencies' : 'dependencies'
      return [
        {
          path: file.path,
          line,
          problem: `imports ${name}, which ${owner} does not declare`,
          fix: `add it to ${field}`
        }
      ]
    })
  })
}

/** Dependencies that reach users without a use. A package counts as used when a source names it in a string. */
export function unusedFindings(owner: string, sources: readonly SourceFile[], own: PackageJson): Finding[] {
  const text = sources.map((file) => maskSource(file.text).withoutComments).join('\n')
  return namesIn(own.dependencies)
    .filter((name) => !new RegExp(`['"\`]${name.replace('@types/', '')}['"\`/]`).test(text))
    .map((name) => ({
      path: `plugins/${owner}/package.json`,
      line: 0,
      problem: `depends on ${name}, which no source uses`,
      fix: 'remove it, or move it to devDependencies'
    }))
}

/** The page's rows `| name | where | why |` against the manifests, by owner: `root` and the package names. */
export function documentedFindings(manifests: Readonly<Record<string, PackageJson>>, page: SourceFile): Finding[] {
  const declared = new Set<string>(
    Object.entries(manifests).flatMap(([owner, json]) => thirdParties(json).map((name) => `${name} in ${owner}`))
  )
  const rows = readRows(page)
  const listed = new Map<string, number>(
    rows.flatMap(({ name, owners, line }) => owners.map((owner) => [`${name} in ${owner}`, line] as const))
  )
  return [
    ...[...declared]
      .filter((pair) => !listed.has(pair))
      .map((pair) => ({
        path: page.path,
        line: 0,
        problem: `does not list ${pair}`,
        fix: 'add a row, or add the place to the row, with the reason it is there'
      })),
    ...[...listed]
      .filter(([pair]) => !declared.has(pair))
      .map(([pair, line]) => ({
        path: page.path,
        line,
        problem: `lists ${pair}, which is not declared there`,
        fix: 'remove the place or the row'
      })),
    ...rows
      .filter(({ reason }) => reason.length < 10)
      .map(({ name, line }) => ({
        path: page.path,
        line,
        problem: `gives no reason for ${name}`,
        fix: 'say in a few words what it does here'
      }))
  ]
}

export function thirdParties(json: PackageJson): string[] {
  const all = { ...json.dependencies, ...json.devDependencies, ...json.peerDependencies, ...json.optionalDependencies }
  return Object.keys(all).filter((name) => !name.startsWith('svc-'))
}

function readRows(page: SourceFile): { name: string; owners: string[]; reason: string; line: number }[] {
  return page.text.split('\n').flatMap((text, index) => {
    const row = /^\|\s*`([^`]+)`\s*\|([^|]*)\|([^|]*)\|/.exec(text)
    if (row === null) return []
    const owners = (row[2] ?? '').split(',').map((owner) => owner.trim())
    return [{ name: row[1] ?? '', owners, reason: (row[3] ?? '').trim(), line: index + 1 }]
  })
}

function namesIn(field: Record<string, string> | undefined): string[] {
  return Object.keys(field ?? {})
}

function typesOf(name: string): string {
  return `@types/${name.replace('@', '').replace('/', '__')}`
}
