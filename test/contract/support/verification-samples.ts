/** The runner of a language's sample: it reads requests, and prints for each whether the sample accepts it. */
export type Language = {
  readonly heading: string;
  readonly language: string;
  readonly needs: string;
  readonly file: string;
  readonly driver: string;
  readonly command: readonly string[];
};

const node = {
  language: 'ts',
  needs: process.execPath,
  file: 'sample.ts',
  driver: `
const requests = JSON.parse(await new Response(process.stdin as never).text());
const taken = requests.map(({ secret, headers, body }: Record<string, never>) => {
  try {
    return JSON.stringify(verify(secret, headers, body)) === body;
  } catch {
    return false;
  }
});
console.log(JSON.stringify(taken));`,
  command: [process.execPath, 'sample.ts'],
};
/** The samples of the page. */
export const languages: readonly Language[] = [
  { ...node, heading: '### TypeScript, with the library standardwebhooks' },
  { ...node, heading: '### TypeScript, with node:crypto' },
  {
    heading: '### Python',
    language: 'python',
    needs: 'python3',
    file: 'sample.py',
    command: ['python3', 'sample.py'],
    driver: `
import sys


def takes(given):
    try:
        return verify(given["secret"], given["headers"], given["body"].encode()) == json.loads(given["body"])
    except ValueError:
        return False


print(json.dumps([takes(given) for given in json.load(sys.stdin)]))`,
  },
  {
    heading: '### Go',
    language: 'go',
    needs: 'go',
    file: 'sample.go',
    command: ['go', 'run', 'sample.go', 'driver.go'],
    driver: '',
  },
  {
    heading: '### Ruby',
    language: 'ruby',
    needs: 'ruby',
    file: 'sample.rb',
    command: ['ruby', 'sample.rb'],
    driver: `
taken = JSON.parse($stdin.read).map do |given|
  verify(given["secret"], given["headers"], given["body"]) == JSON.parse(given["body"])
rescue RuntimeError, ArgumentError
  false
end
puts JSON.generate(taken)`,
  },
];

/** In a separate file, because Go allows imports only at the beginning of a file. */
export const GO_DRIVER = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var requests []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	taken := make([]bool, len(requests))
	for index, given := range requests {
		headers := http.Header{}
		for name, value := range given.Headers {
			headers.Set(name, value)
		}
		taken[index] = verify(given.Secret, headers, []byte(given.Body)) == nil
	}
	if err := json.NewEncoder(os.Stdout).Encode(taken); err != nil {
		panic(err)
	}
}
`;
