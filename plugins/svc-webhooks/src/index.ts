/** svc-webhooks */
export {}
