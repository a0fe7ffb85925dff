/**
 * Models and oracles say once more what code does: one that imports that code agrees with it, whatever it does. Types are
 * no code, and packages of others are not judged here.
 */
import type { Finding } from './finding.ts'
import type { SourceFile } from './repository.ts'
import { scanImports } from './scan-imports.ts'

/** `migration-model.ts` and `criteria-oracle.ts`, in a suite or among tests. */
const MODEL = /\/(?:conformance|test)\/(?:.*\/)?[a-z-]+-(?:model|oracle)\.ts$/
const SIBLING = /^\.\/[a-z-]+-(?:model|oracle)\.ts$/

export function isModel({ path }: SourceFile): boolean {
  return MODEL.test(path)
}

export function modelFindings(files: readonly SourceFile[]): Finding[] {
  return files.filter(isModel).flatMap((file) =>
    scanImports(file)
      .filter(({ specifier, typeOnly }) => !typeOnly && !SIBLING.test(specifier) && isOurs(specifier))
      .map(({ specifier, line }) => ({
        path: file.path,
        line,
        problem: `imports ${specifier}, and may be a model of it`,
        fix: 'say it in other words here, or import the type alone'
      }))
  )
}

function isOurs(specifier: string): boolean {
  return specifier.startsWith('.') || /^(?:create-)?svc(?:-|$)/.test(specifier)
}
