/** svc-test */
export {}
