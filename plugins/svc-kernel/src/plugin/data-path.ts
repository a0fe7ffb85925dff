/**
 * Where an application keeps what it writes: databases, keys. One rule for every
 * relative path, however the application was started: from its own folder, the
 * nearest one with a package.json. A build is not that folder: it comes and goes.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { BootError } from '../problems/boot-error.ts'
import { readablePath } from '../problems/place-of.ts'
import type { Problem } from '../problems/problem.ts'
import { appHost } from './app-host.ts'

const MARKS = ['package.json', 'svc.config.ts']

/** @returns the nearest folder that is an application's, from `folder` upwards; `folder` itself where there is none */
export function applicationFolder(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (MARKS.some((name) => existsSync(join(current, name)))) return current
    if (dirname(current) === current) return folder
  }
}

/**
 * The absolute path of a file or folder that the application keeps. Without the
 * module loader, a relative one starts at the working directory.
 *
 * @throws BootError SVC_DATA_MOVED where it lies in the build or the working directory, and not where it belongs: to begin
 * with nothing beside data that is there would look like losing it
 */
export function dataPath(fastify: FastifyInstance, path: string): string {
  const { root } = appHost(fastify)
  const target = resolve(fastify.hasDecorator('appHost') ? applicationFolder(root) : root, path)
  if (existsSync(target)) return target
  const left = [root, process.cwd()].map((from) => resolve(from, path)).find((found) => existsSync(found))
  if (left !== undefined) throw new BootError([movedProblem(left, target)])
  return target
}

function movedProblem(found: string, target: string): Problem {
  const [from, into] = [readablePath(found), readablePath(dirname(target)) || '.']
  // A database has files beside it whose names begin with its own.
  const what = statSync(found).isDirectory() ? from : `${from}*`
  return {
    code: 'SVC_DATA_MOVED',
    message: "data of this application is outside the application's folder, where svc does not look",
    at: found,
    got: 'nothing at the configured place',
    expected: target,
    fix: `mkdir -p ${into} && mv ${what} ${into}/`,
    more: 'npx svc docs startup-problems'
  }
}
