/**
 * `npm run release -- version`: raises the versions, and has the template and the lockfile follow.
 * `npm run release -- stage`: lays out every package as it is published, in its `dist/package`.
 * `npm run release -- sbom`: writes `sbom.cdx.json`.
 * `npm run release -- publish`: stages, writes `sbom.cdx.json`, and publishes what is new.
 */
import { join } from 'node:path'
import { root, runLive } from './run-step.mjs'

const script = (name, ...args) => ['node', join(root, '.config', name), ...args]

const STAGE = [script('bootstrap.mjs'), script('stage-packages.mjs')]
const STEPS = {
  version: [['changeset', 'version'], script('packages.mjs'), ['npm', 'install', '--package-lock-only']],
  stage: STAGE,
  sbom: [script('sbom.mjs')],
  publish: [script('packages.mjs', '--publishable'), ...STAGE, script('sbom.mjs'), ['changeset', 'publish']]
}

const [step] = process.argv.slice(2)
if (!Object.hasOwn(STEPS, step ?? '')) {
  process.stderr.write(`release: name one step: npm run release -- ${Object.keys(STEPS).join('|')}\n`)
  process.exitCode = 1
} else {
  for (const [command, ...args] of STEPS[step]) {
    process.exitCode = await runLive(command, args)
    if (process.exitCode !== 0) break
  }
}
