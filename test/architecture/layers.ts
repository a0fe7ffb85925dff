/**
 * The levels of the packages. A package may import packages of a lower level only, types included: packages of one level
 * meet through what a lower level declares.
 */
import { posix } from 'node:path'
import type { Finding } from './finding.ts'
import { type PackageJson, packageOf, type SourceFile } from './repository.ts'
import { packageNamed, scanImports } from './scan-imports.ts'

export const LEVELS: Readonly<Record<string, number>> = {
  'svc-kernel': 0,
  'svc-client': 1,
  'svc-host': 1,
  'svc-stores': 1,
  'svc-queue': 2,
  'svc-limits': 2,
  'svc-orm': 2,
  'svc-decorators': 1,
  'svc-audit': 2,
  'svc-realtime': 2,
  'svc-security': 2,
  'svc-webhooks': 3,
  'svc-jobs': 3,
  'svc-mcp': 3,
  'svc-files': 2,
  'svc-events': 4,
  'svc-mail': 4,
  'svc-accounts': 5,
  'svc-organizations': 5,
  'svc-bullmq': 4,
  'svc-docdb-embedded': 1,
  'svc-docdb': 4,
  'svc-sqlorm': 4,
  'svc-ops': 2,
  'svc-otel': 2,
  'svc-openapi': 2,
  'svc-test': 5,
  'svc-cli': 5,
  'svc-console': 6,
  'create-svc': 6
}

/** Imports that go up or sideways, and relative imports that leave their package or reach from `src` into tests. */
export function layerFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const owner = packageOf(file.path)
    if (owner === null) return []
    return scanImports(file).flatMap(({ specifier, line }) => {
      const fault = specifier.startsWith('.') ? leaves(file.path, specifier) : climbs(owner, packageNamed(specifier))
      return fault === null ? [] : [{ path: file.path, line, ...fault }]
    })
  })
}

/** The same rule for what the `package.json` files declare. */
export function declaredLayerFindings(packages: Readonly<Record<string, PackageJson>>): Finding[] {
  return Object.entries(packages).flatMap(
    ([owner, { dependencies = {}, devDependencies = {}, peerDependencies = {} }]) =>
      Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).flatMap((name) => {
        const fault = climbs(owner, name)
        return fault === null ? [] : [{ path: `plugins/${owner}/package.json`, line: 0, ...fault }]
      })
  )
}

function climbs(owner: string, target: string | null): Pick<Finding, 'problem' | 'fix'> | null {
  const from = LEVELS[owner]
  if (from === undefined) {
    return {
      problem: `${owner} has no level`,
      fix: 'give it one in test/architecture/layers.ts and docs/architecture.md'
    }
  }
  if (target === null || target === owner) return null
  const to = LEVELS[target]
  if (to === undefined) {
    if (!target.startsWith('svc-')) return null
    return {
      problem: `${target} has no level`,
      fix: 'correct the name, or give it a level in test/architecture/layers.ts'
    }
  }
  if (to < from) return null
  return {
    problem: `${owner} (level ${from}) imports ${target} (level ${to})`,
    fix: 'declare what both need in a package of a lower level'
  }
}

function leaves(path: string, specifier: string): Pick<Finding, 'problem' | 'fix'> | null {
  const [, owner, part] = path.split('/')
  const target = posix.join(posix.dirname(path), specifier)
  if (!target.startsWith(`plugins/${owner}/`)) {
    return { problem: `${specifier} leaves plugins/${owner}`, fix: 'import the other package by its name' }
  }
  if (part === 'src' && !target.startsWith(`plugins/${owner}/src/`)) {
    const ownManifest = target === `plugins/${owner}/package.json`
    return ownManifest ? null : { problem: `${specifier} leaves src`, fix: 'move what is needed into src' }
  }
  return null
}
