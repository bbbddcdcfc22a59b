; Inno Setup 6: the Windows installer, for one user unless asked otherwise. Run by make_app.py --packages, which says
; the version and the folder that holds the built app: iscc /DVersion=0.1.0 /DDist=C:\...\dist packaging\windows\roofplan.iss
#ifndef Version
  #error Say which version: /DVersion=0.1.0
#endif
#ifndef Dist
  #define Dist "..\..\dist"
#endif

[Setup]
AppId={{7D0F2B86-5C1E-4D7A-9C55-2F1C0A7E5B31}
AppName=Roofplan
AppVersion={#Version}
AppPublisher=The Roofplan authors
DefaultDirName={autopf}\Roofplan
DefaultGroupName=Roofplan
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ChangesAssociations=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
SetupIconFile=..\icons\roofplan.ico
UninstallDisplayIcon={app}\roofplan.exe
OutputDir={#Dist}
OutputBaseFilename=roofplan-{#Version}-setup
Compression=lzma2
SolidCompression=yes

[Files]
Source: "{#Dist}\roofplan\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\Roofplan"; Filename: "{app}\roofplan.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.roofplan"; ValueType: string; ValueData: "Roofplan.Plan"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Roofplan.Plan"; ValueType: string; ValueData: "Roofplan plan"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Roofplan.Plan\DefaultIcon"; ValueType: string; ValueData: "{app}\roofplan.exe,0"
Root: HKA; Subkey: "Software\Classes\Roofplan.Plan\shell\open\command"; ValueType: string; ValueData: """{app}\roofplan.exe"" ""%1"""

[Run]
Filename: "{app}\roofplan.exe"; Description: "Start Roofplan"; Flags: nowait postinstall skipifsilent
