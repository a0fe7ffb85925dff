/**
 * The receivers that the guide shows in Python and Go, as they stand on the
 * page, against the published signature vectors. Each needs its language on the
 * machine, and says so where it is missing.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readPage } from './documentation/markdown-page.ts'
import { inRepository } from './documentation/repository.ts'

const PAGE = 'docs/guides/verifying-webhooks.md'
const page = readPage(PAGE, readFileSync(inRepository(PAGE), 'utf8'))
const vectorsFile = inRepository('test/vectors/signature-vectors.json')
const vectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as { name: string; expect: 'accept' | 'reject' }[]

/** Prints one line for each vector: its id where it was accepted, else what was wrong with it. */
const PYTHON_DRIVER = `
import json, sys
from email.message import Message
from receiver import BadWebhook, verify_webhook

for vector in json.load(open(sys.argv[1], encoding="utf-8")):
    headers = Message()
    headers["Webhook-Id"] = vector["id"]
    headers["Webhook-Timestamp"] = str(vector["timestamp"])
    headers["Webhook-Signature"] = vector["signature"]
    now = vector.get("now", vector["timestamp"])
    try:
        verify_webhook(vector["secret"], headers, vector["body"].encode(), now=now)
        print("accept")
    except BadWebhook as error:
        print("reject", error.status)
`

const GO_DRIVER = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

type vector struct {
	Secret, Id, Body, Signature string
	Timestamp                   int64
	Now                         *int64
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		panic(err)
	}
	for _, v := range vectors {
		header := http.Header{}
		header.Set("webhook-id", v.Id)
		header.Set("webhook-timestamp", strconv.FormatInt(v.Timestamp, 10))
		header.Set("webhook-signature", v.Signature)
		now := v.Timestamp
		if v.Now != nil {
			now = *v.Now
		}
		_, err := VerifyWebhook(v.Secret, header, []byte(v.Body), time.Unix(now, 0))
		switch err {
		case nil:
			fmt.Println("accept")
		case ErrSignature:
			fmt.Println("reject 401")
		case ErrHeaders, ErrStale:
			fmt.Println("reject 400")
		default:
			panic(err)
		}
	}
}
`

/** What a receiver answers to each vector: its signature is missing or its time is out, or the signature does not fit. */
const expected = vectors.map(({ name, expect }) => {
  if (expect === 'accept') return `accept: ${name}`
  return `reject ${/missing|too far|past the tolerance/.test(name) ? 400 : 401}: ${name}`
})

function blockOf(language: string): string {
  const blocks = page.blocks.filter((block) => block.language === language)
  if (blocks.length !== 1) throw new Error(`${PAGE} has ${blocks.length} blocks of ${language}`)
  return `${blocks[0]?.code}\n`
}

function holds(t: Test, command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { stdout, stderr, status } = spawnSync(command, [...args, vectorsFile], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    timeout: 120_000
  })
  t.equal(status, 0, stderr)
  const verdicts = stdout.trim().split('\n')
  t.strictSame(
    vectors.map(({ name }, index) => `${verdicts[index]}: ${name}`),
    expected
  )
}

function isMissing(t: Test, command: string, version: string): boolean {
  if (spawnSync(command, [version]).status === 0) return false
  const reason = `SKIPPED: there is no ${command} on this machine; its receiver in ${PAGE} was not tried`
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
  return true
}

t.test('Python', async (t) => {
  if (isMissing(t, 'python3', '--version')) return
  const folder = t.testdir({ 'receiver.py': blockOf('python'), 'driver.py': PYTHON_DRIVER })
  holds(t, 'python3', ['-B', 'driver.py'], folder)
})

t.test('Go', async (t) => {
  if (isMissing(t, 'go', 'version')) return
  const folder = t.testdir({ 'receiver.go': blockOf('go'), 'driver.go': GO_DRIVER, cache: {} })
  writeFileSync(join(folder, 'go.mod'), 'module receiver\n\ngo 1.19\n')
  const env = { HOME: folder, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GOPROXY: 'off' }
  holds(t, 'go', ['run', '.'], folder, env)
})
