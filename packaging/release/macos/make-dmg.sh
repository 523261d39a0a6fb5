#!/bin/bash
# make-dmg.sh APP DMG IDENTITY PROFILE ENTITLEMENTS: signs a program of macOS from the inside out, puts it into a disk
# image, has that notarised and fastens the ticket to it. Any step that fails ends it.
set -euo pipefail
app=$1 dmg=$2 identity=$3 profile=$4 entitlements=$5
sign=(codesign --force --timestamp --options runtime --sign "$identity")

# Libraries first: the signature of the whole covers theirs. Frameworks are signed as folders after what is in them.
find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -print0 | xargs -0 -n 20 "${sign[@]}"
find "$app/Contents" -depth -type d -name '*.framework' -print0 | xargs -0 -n 20 "${sign[@]}"
for program in "$app"/Contents/MacOS/*; do
  "${sign[@]}" --entitlements "$entitlements" "$program"
done
"${sign[@]}" --entitlements "$entitlements" "$app"
codesign --verify --deep --strict "$app"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$dmg"
hdiutil create -volname "Pet Store Desktop" -srcfolder "$folder" -fs HFS+ -format UDZO "$dmg"
codesign --force --timestamp --sign "$identity" "$dmg"
xcrun notarytool submit "$dmg" --keychain-profile "$profile" --wait
xcrun stapler staple "$dmg"
xcrun stapler validate "$dmg"
