/** Checks a whole config without starting anything: its own keys, the server's, and every module. Reports all at once. */
import type { Problem } from 'svc-kernel'
import { optionProblems, runningMode, violations } from 'svc-kernel/host'
import { configSchema } from '../options.ts'
import { type CheckedModule, checkModules } from './check-modules.ts'
import type { SvcConfig } from './define-config.ts'
import { type ConfigText, locateProblem } from './locate-problems.ts'
import { missingCommaProblem } from './missing-comma.ts'

/** The modules in load order, and everything that is wrong. */
export interface ConfigCheck {
  readonly modules: readonly CheckedModule[]
  readonly problems: readonly Problem[]
}

/** @param configText from `readConfigText`; with it, each problem names its line */
export function checkConfig(config: SvcConfig, configText?: ConfigText): ConfigCheck {
  const wrong = violations(configSchema, config)
  const own = wrong.length === 0 ? httpsProblems(config) : optionProblems('', wrong)
  const { modules, problems } = checkModules(Array.isArray(config?.modules) ? config.modules : [])
  const all = [...own.map((problem) => ({ ...problem, at: problem.at || 'config' })), ...problems]
  if (configText === undefined) return { modules, problems: all }
  const comma = all.some(isAbsentEntry) ? missingCommaProblem(configText) : null
  const others = comma === null ? all : all.filter((problem) => !isAbsentEntry(problem))
  const located = others.map((problem) => locateProblem(problem, configText))
  return { modules, problems: comma === null ? located : [comma, ...located] }
}

function isAbsentEntry({ code, got }: Problem): boolean {
  return code === 'SVC_MODULE_INVALID' && got === 'undefined'
}

/**
 * What is wrong with `server.https` before any file is read. A generated certificate proves nothing, so production brings
 * its own; and without authorities of its own, a client with a certificate of any public one would be let in.
 *
 * @param config one whose keys and types are right
 */
function httpsProblems({ mode = runningMode(), server: { https = false } = {} }: SvcConfig): Problem[] {
  if (https === false) return []
  const { key, cert, ca, requestCert } = https === true ? {} : https
  const problems: Problem[] = []
  const own = [key, cert].filter((path) => path !== undefined)
  if (own.length === 1 || (own.length === 0 && mode === 'production')) {
    const missing = own.length === 0 ? 'a key and a certificate' : key === undefined ? 'a key' : 'a certificate'
    problems.push({
      code: CODE,
      message: own.length === 0 ? `https in production needs ${missing}` : `https lacks ${missing}`,
      at: 'server.https',
      expected: 'key and cert: paths of PEM files',
      fix: "https: { key: 'tls/key.pem', cert: 'tls/cert.pem' }",
      more: MORE
    })
  }
  if ((requestCert === true) !== (ca !== undefined)) {
    problems.push({
      code: CODE,
      message:
        ca === undefined
          ? 'https asks clients for certificates, but names no authority'
          : 'https names authorities, but does not ask clients for certificates',
      at: 'server.https.requestCert',
      expected: 'requestCert together with ca: paths of PEM files',
      fix: "https: { requestCert: true, ca: 'tls/clients.pem' }",
      more: MORE
    })
  }
  return problems
}

const CODE = 'SVC_HTTPS_CERTIFICATE'
const MORE = 'npx svc docs configuration'
