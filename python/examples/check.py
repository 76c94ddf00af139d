"""Checks the queries of a model, and prints the run that shows each answer: `python check.py MODEL [QUERY]`."""

import sys

import zonewalk


def main() -> int:
    model = zonewalk.load(sys.argv[1], queries=sys.argv[2:] or None)
    results = model.check(timeout=60)
    for result in results:
        print(f"{result.query}: {result}")
        for step in result.trace or ():
            print(f"  {float(step.time):8.3f}  {step.action}")
    return results.exit_status


if __name__ == "__main__":
    sys.exit(main())
