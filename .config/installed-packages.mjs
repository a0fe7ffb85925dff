/**
 * Tells whether node_modules holds what package-lock.json asks for. It compares the two lockfiles instead of
 * file times, which a checkout or a copy changes. Packages that are optional may be absent.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `null` when everything is in place, else the first reason to install, in words. */
export function reasonToInstall(root) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return 'nothing is installed yet'
  const wanted = readPackages(join(root, 'package-lock.json'))
  const difference = firstDifference(wanted, readPackages(installedFile))
  if (difference !== null) return difference
  const missing = Object.keys(wanted).find((path) => wanted[path].link && !existsSync(join(root, path)))
  return missing === undefined ? null : `${missing} is missing`
}

/** Compares the `packages` tables of two lockfiles: the one wanted and the one npm left after installing. */
export function firstDifference(wanted, installed) {
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue
    const found = installed[path]
    if (found === undefined) {
      if (entry.optional || entry.devOptional) continue
      return `${path} is missing`
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return `${path} is ${found.version}, the lockfile has ${entry.version}`
    }
  }
  return null
}

/** How many packages of the lockfile for this machine lie in node_modules: `412 of 930 packages`. */
export function installedCount(root) {
  const wanted = Object.entries(readPackages(join(root, 'package-lock.json'))).filter(
    ([path, entry]) =>
      path.includes('node_modules/') &&
      !entry.link &&
      isFor(entry.os, process.platform) &&
      isFor(entry.cpu, process.arch)
  )
  const there = wanted.filter(([path]) => existsSync(join(root, path, 'package.json')))
  return `${there.length} of ${wanted.length} packages`
}

/** As npm reads `os` and `cpu`. */
function isFor(names, name) {
  return (
    names === undefined || (names.some((each) => each[0] !== '!') ? names.includes(name) : !names.includes(`!${name}`))
  )
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}
