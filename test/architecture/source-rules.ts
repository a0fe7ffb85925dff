/** Rules about what may stand in a source, each a pure function over the files it concerns. */
import { type Finding, lineAt } from './finding.ts'
import { maskSource } from './mask-source.ts'
import type { SourceFile } from './repository.ts'
import { scanImports } from './scan-imports.ts'

const MAX_HEADER_LINES = 8

/** Where Fastify itself may be loaded: entries, routes, hooks and the two transports. */
const LOADS_FASTIFY = /(?:^|\/)(?:index|http|ws)\.ts$|\.(?:routes|hook)\.ts$/

/** The files that read the process environment: the catalogue of an application, and one file per package that must. */
export const READS_ENVIRONMENT: readonly string[] = [
  'app-template/env.ts',
  'plugins/svc-cli/src/environment.ts',
  'plugins/svc-docdb/src/environment/primary-uri.ts',
  'plugins/svc-kernel/src/plugin/app-host.ts'
]

/** Every file begins with a comment of one to eight lines that says what it is. */
export function headerFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const header = /^(?:#!.*\n)?(?:\/\*\*([\s\S]*?)\*\/|((?:\/\/.*(?:\n|$))+))/.exec(text)
    const lines = (header?.[1] ?? header?.[2] ?? '').split('\n').filter((line) => /\w/.test(line)).length
    if (lines >= 1 && lines <= MAX_HEADER_LINES) return []
    const problem =
      lines === 0 ? 'has no header comment' : `has a header of ${lines} lines, at most ${MAX_HEADER_LINES} are allowed`
    return [{ path, line: 1, problem, fix: 'begin with /** what it is, and the rule it keeps */' }]
  })
}

/** The header of a plugin's entry lists what it brings into an instance and what it needs there. */
export function entryHeaderFindings(entries: readonly SourceFile[]): Finding[] {
  return entries.flatMap(({ path, text }) => {
    const header = text.slice(0, text.indexOf('*/'))
    const missing = ['Decorates', 'Hooks', 'Needs'].filter((word) => !header.includes(` * ${word} `))
    if (missing.length === 0) return []
    return [
      {
        path,
        line: 1,
        problem: `does not list: ${missing.join(', ')}`,
        fix: 'add the lines to the header, with "nothing" or "none" where it is so'
      }
    ]
  })
}

/** Only the edges of a package load Fastify; everything else may use its types. */
export function fastifyFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !LOADS_FASTIFY.test(path))
    .flatMap((file) =>
      scanImports(file)
        .filter(({ specifier, typeOnly }) => specifier === 'fastify' && !typeOnly)
        .map(({ line }) => ({
          path: file.path,
          line,
          problem: 'loads fastify',
          fix: 'write `import type`, or move the code to index.ts, http.ts, ws.ts, *.routes.ts or *.hook.ts'
        }))
    )
}

/** As a module, node:http reads all of its exports, and one of them loads a client that no start of a server needs. */
export function httpFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    scanImports(file)
      .filter(({ specifier, typeOnly }) => /^(?:node:)?http$/.test(specifier) && !typeOnly)
      .map(({ line }) => ({
        path: file.path,
        line,
        problem: 'imports node:http, which takes 25 ms and 3 MB of a start',
        fix: "write `import type`, or process.getBuiltinModule('node:http')"
      }))
  )
}

/** Plugins log through the instance they are registered on. */
export function consoleFindings(files: readonly SourceFile[]): Finding[] {
  return occurrences(files, /(?<![\w$.])console\s*[.[]/g, 'uses console', 'log through request.log or fastify.log')
}

/** The environment is read in one place per application. */
export function environmentFindings(files: readonly SourceFile[]): Finding[] {
  const elsewhere = files.filter(({ path }) => !READS_ENVIRONMENT.includes(path))
  const fix = `take the value as an option; only ${READS_ENVIRONMENT.join(', ')} may read it`
  return [
    ...occurrences(elsewhere, /\bprocess\s*(?:\?\.|\.)\s*env\b/g, 'reads process.env', fix),
    ...occurrences(elsewhere, /\benv\b[^;()]*\}\s*=\s*process\b/g, 'reads process.env', fix)
  ]
}

/** `enterWith` leaks the context of one request into whatever runs next on the same chain. */
export function enterWithFindings(files: readonly SourceFile[]): Finding[] {
  return occurrences(files, /\.\s*enterWith\b/g, 'calls enterWith', 'use AsyncLocalStorage.run around a callback')
}

/** A test that is set aside, or that sets the others aside, proves nothing. */
export function setAsideFindings(tests: readonly SourceFile[]): Finding[] {
  const pattern = /\b(?:t|test)\.(?:only|skip|todo)\b|[{,]\s*(?:only|skip|todo)\s*:/g
  return occurrences(tests, pattern, 'sets a test aside', 'make it run, or delete it')
}

function occurrences(files: readonly SourceFile[], pattern: RegExp, problem: string, fix: string): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...maskSource(text).code.matchAll(pattern)].map(({ index }) => ({ path, line: lineAt(text, index), problem, fix }))
  )
}
